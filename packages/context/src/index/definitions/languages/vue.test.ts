import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('only the script of a component is read', () => {
  const text = `
<template>
  <p>function no() {}</p>
</template>

<script setup lang="ts">
const open = () => {
  return 1;
};
</script>
`;

  expect(outline('a.vue', text)).toEqual(['6-8 function open']);
});
