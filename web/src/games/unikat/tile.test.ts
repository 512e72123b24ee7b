// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import looks from '../../../../src/pytlik/unikat/looks.json';
import Tile from './Tile.svelte';

function drawTile(): SVGSVGElement {
  const component = mount(Tile, {
    target: document.body,
    props: { tile: '1120', skin: 'huch', patterns: true },
  });
  flushSync();
  const drawing = document.querySelector('svg[viewBox]')!.cloneNode(true) as SVGSVGElement;
  void unmount(component);
  return drawing;
}

test('a tile has the size, the corners and the outline from looks.json', () => {
  const drawing = drawTile();
  expect(drawing.getAttribute('viewBox')).toBe(`0 0 ${looks.box} ${looks.box}`);
  const rects = [...drawing.querySelectorAll('rect')];
  for (const rect of rects) {
    expect(rect.getAttribute('width')).toBe(String(looks.box - 2));
    expect(rect.getAttribute('rx')).toBe(String(looks.corner));
  }
  const symbol = [...drawing.querySelectorAll('path')].at(-1)!;
  expect(symbol.getAttribute('stroke-width')).toBe(String(looks.outline));
});

test('patterns are added to the document once, with the first tile', () => {
  drawTile();
  const fill = [...drawTile().querySelectorAll('path')].at(-1)!.getAttribute('fill')!;
  const id = /^url\(#(.*)\)$/.exec(fill)![1]!;
  expect(document.querySelectorAll(`[id="${id}"]`)).toHaveLength(1);
});
