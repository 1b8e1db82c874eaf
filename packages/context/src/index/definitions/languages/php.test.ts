import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('classes, functions and constants are found around heredocs and markup', () => {
  const text = `
<?php

namespace App\\Models;

use Foo\\Bar;

const LIMIT = 5;
define('DEBUG', true);

#[Attribute]
abstract class User extends Model implements HasName
{
    use Notifiable;

    public const TABLE = 'users';
    private array $items = ['{' => '}'];

    public function __construct(private string $name)
    {
        $this->cb = function ($x) {
            return "}";
        };
    }

    #[Pure] public static function find(int $id): ?static
    {
        $sql = <<<SQL
            } SELECT {
            SQL;
        return null;
    }

    abstract protected function name(): string;
}

interface HasName { public function name(): string; }
trait Notifiable { public function notify() {} }
enum Suit: string {
    case Hearts = 'H';
    public function color(): string { return 'red'; }
}

function &helper($a) {
    return $a;
}
?>
<p>Don't { worry</p>
<?php
function after() {}
`;

  expect(outline('a.php', text)).toEqual([
    '7-7 constant LIMIT',
    '8-8 constant DEBUG',
    '11-34 class User',
    '15-15 constant User > TABLE',
    '18-23 method User > __construct',
    '25-31 method User > find',
    '33-33 method User > name',
    '36-36 interface HasName',
    '37-37 class Notifiable',
    '38-41 enum Suit',
    '40-40 method Suit > color',
    '43-45 function helper',
    '49-49 function after',
  ]);
});
