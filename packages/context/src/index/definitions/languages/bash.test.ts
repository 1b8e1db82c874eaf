import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('functions, aliases and constants are found around heredocs and quoted braces', () => {
  const text = `
#!/usr/bin/env bash
readonly ROOT_DIR="/x"
export PATH_X=1
COUNT=0
alias ll='ls -l'

usage() {
  cat <<EOF2
  } not the end
func() {
EOF2
  echo "} \${1:-}" # }
  awk '{ print $1 }' <<< "x"
  case $1 in
    a) echo a ;;
  esac
}

function log::info
{
  echo "$@"
}

function helper() { local x=1; echo $x; }
git-done() (
  echo x
)
`;

  expect(outline('a.sh', text)).toEqual([
    '2-2 constant ROOT_DIR',
    '3-3 constant PATH_X',
    '4-4 constant COUNT',
    '5-5 constant ll',
    '7-17 function usage',
    '19-22 function log::info',
    '24-24 function helper',
    '25-27 function git-done',
  ]);
});

test('fish functions end with their end', () => {
  const text = `
function greet --description 'says hello'
    if true
        echo hello
    end
end
alias g=git
`;

  expect(outline('a.fish', text)).toEqual(['1-5 function greet', '6-6 constant g']);
});
