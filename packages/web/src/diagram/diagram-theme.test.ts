import { expect, test } from 'vitest';
import { diagramTheme } from './diagram-theme.ts';

test.each(['#ffffff', '#fff'])('colours of a diagram are mixed from those of the page, on %s too', (ground) => {
  const theme = diagramTheme({
    isDark: false,
    fontFamily: 'sans-serif',
    ground,
    raised: '#faf9f7',
    ink: '#1e2227',
    soft: '#4d545c',
    line: '#60676f',
    border: '#c9c5bb',
    accent: '#0f6b62',
    warn: '#8a5a00',
    bad: '#b3261e',
    hues: ['#000', '#ff0000'],
  });

  expect(theme).toMatchObject({
    primaryColor: '#e2edec',
    pie1: '#8c8c8c',
    pie2: '#ff8c8c',
    pie3: '#8c8c8c',
    cScaleLabel11: '#1e2227',
  });
});
