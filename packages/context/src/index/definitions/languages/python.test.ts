import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('indentation ends a definition, and texts and comments do not', () => {
  const text = `
"""Module docs with def not_me(): inside."""
from __future__ import annotations

DEFAULT_TIMEOUT: float = 30.0
Handler = Callable[
    [Request],
    Response,
]
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Client(Base, metaclass=Meta):
    """Docs."""

    name: str = "x"

    def __init__(
        self,
        name: str,
    ) -> None:
        self.name = name

    @property
    async def open(self): return 1

    class Config:
        strict = True

        def inner(self):
            text = """
def not_me():
    pass
"""
            return text

# a comment at the left does not end anything
    def close(self):
        pass


async def main() -> None:
    def helper():
        return 1

    await helper()


if TYPE_CHECKING:
    def typed(): ...
`;

  expect(outline('a.py', text)).toEqual([
    '4-4 constant DEFAULT_TIMEOUT',
    '5-8 constant Handler',
    '13-39 class Client',
    '18-22 method Client > __init__',
    '25-25 method Client > open',
    '27-35 class Client > Config',
    '30-35 method Config > inner',
    '38-39 method Client > close',
    '42-46 function main',
    '43-44 function main > helper',
    '50-50 function typed',
  ]);
});
