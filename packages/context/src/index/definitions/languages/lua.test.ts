import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('functions are found by any of the ways to write them', () => {
  const text = `
local M = {}
local Picker = {}
Picker.__index = Picker

M.defaults = {
  layout = "flex",
  on_open = function(self)
    return self
  end,
}

---@param opts table
function M.setup(opts)
  local function merge(a, b)
    return a
  end
  vim.schedule(function()
    merge()
  end)
end

function Picker:find(text)
  local s = [[
function not_me()
end
]]
  if s then return end
end

local helper = function(x) return x end
M.close = function() -- closes
  --[[ function no() ]]
end

return M
`;

  expect(outline('a.lua', text)).toEqual([
    '2-2 class Picker',
    '5-10 constant M > defaults',
    '7-9 function defaults > on_open',
    '13-20 function M > setup',
    '14-16 function setup > merge',
    '22-28 method Picker > find',
    '30-30 function helper',
    '31-33 function M > close',
  ]);
});
