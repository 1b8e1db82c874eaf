import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('a method belongs to its receiver, and each name of a group is its own definition', () => {
  const text = `
package main

import "fmt"

const Version = "1"

const (
	// First is first.
	First State = iota
	Second
	_
)

var (
	ErrX = errors.New("x")
	table = map[string]int{
		"a": 1,
	}
)

var _ Reader = (*File)(nil)

type State int

type File[T any] struct {
	name string
	opts struct {
		deep bool
	}
}

type Reader interface {
	io.Closer
	Read(p []byte) (n int, err error)
}

type (
	Pair struct{ a, b int }
	Name = string
)

type HandlerFunc func(w Writer) error

// Read reads \`}\`.
func (f *File[T]) Read(p []byte) (n int, err error) {
	s := "}" + \`}
}\` + string('}')
	go func() {
		fmt.Println(s)
	}()
	return 0, nil
}

func (File[T]) Close() interface{} {
	return nil
}

func New[T any](opts ...func(*File[T])) (*File[T], error) {
	return &File[T]{}, nil
}

func external(x int) int
`;

  expect(outline('a.go', text)).toEqual([
    '5-5 constant Version',
    '9-9 constant First',
    '10-10 constant Second',
    '15-15 constant ErrX',
    '16-18 constant table',
    '23-23 type State',
    '25-30 class File',
    '32-35 interface Reader',
    '34-34 method Reader > Read',
    '38-38 class Pair',
    '39-39 type Name',
    '42-42 type HandlerFunc',
    '45-52 method File > Read',
    '54-56 method File > Close',
    '58-60 function New',
    '62-62 function external',
  ]);
});
