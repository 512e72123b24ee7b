/** Button labels are at most 1.6 times as long as in English, unless there's a reason. */

import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import exceptions from './button-lengths.exceptions.json';

type Text = string | Record<string, string>;

const components = import.meta.glob<string>('/src/**/*.svelte', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const files = import.meta.glob<Record<string, Text>>('../../../src/pytlik/i18n/*.json', {
  import: 'default',
  eager: true,
});
const catalogues = Object.fromEntries(
  Object.entries(files).map(([path, texts]) => [path.slice(-7, -5), texts]),
);
const english = catalogues['en']!;

const MAX_RATIO = 1.6;
/** Up to this length a text fits on every button, however short the English one is. */
const ALWAYS_FITS = 13;

type Node = Record<string, unknown> & { type?: string; name?: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const children = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

function isButton(node: Node): boolean {
  if (node.type !== 'RegularElement') return false;
  if (node.name === 'button') return true;
  const attributes = node['attributes'] as Node[];
  const classes = attributes.filter(({ name }) => name === 'class');
  return node.name === 'a' && /\bbutton\b/.test(JSON.stringify(classes));
}

/** Its visible content; attributes are for people who can't see it. */
const labels = (button: Node): Node[] => (button['fragment'] as { nodes: Node[] }).nodes;

/** Patterns of the keys that an argument of `t` may evaluate to. */
function keyPatterns(node: Node): string[] {
  if (node.type === 'Literal') return [String(node['value']).replaceAll('.', '\\.')];
  if (node.type === 'TemplateLiteral')
    return [
      (node['quasis'] as { value: { cooked: string } }[])
        .map(({ value }) => value.cooked.replaceAll('.', '\\.'))
        .join('[^.]+'),
    ];
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].flatMap((each) => keyPatterns(each as Node));
  return [];
}

function keysUnder(node: Node): string[] {
  const isCall =
    node.type === 'CallExpression' && (node['callee'] as Node).name === 't' && 'arguments' in node;
  if (!isCall) return children(node).flatMap(keysUnder);
  const patterns = keyPatterns((node['arguments'] as Node[])[0]!);
  return Object.keys(english).filter((key) =>
    patterns.some((pattern) => new RegExp(`^${pattern}$`).test(key)),
  );
}

const keysOnButtons = (node: Node): string[] =>
  isButton(node) ? labels(node).flatMap(keysUnder) : children(node).flatMap(keysOnButtons);

const keys = [
  ...new Set(
    Object.values(components).flatMap((source) =>
      keysOnButtons(parse(source, { modern: true }).fragment as unknown as Node),
    ),
  ),
].sort();

/** The length of the longest form, without its fields. */
function lengthOf(text: Text): number {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return Math.max(...forms.map((form) => form.replace(/\{\w+\}/g, '').trim().length));
}

const tooLong = (lang: string): string[] =>
  keys.filter((key) => {
    const length = lengthOf(catalogues[lang]![key]!);
    return length > ALWAYS_FITS && length > MAX_RATIO * lengthOf(english[key]!);
  });

test('buttons are found', () => {
  expect(keys).toContain('page.retry');
  expect(keys).toContain('page.coach.shown.laid');
  expect(keys.length).toBeGreaterThan(150);
});

test.each(Object.keys(catalogues))('%s has no button that is too long', (lang) => {
  const excused = (key: string) =>
    (exceptions as Record<string, { languages: string[] }>)[key]?.languages.includes(lang);
  expect(tooLong(lang).filter((key) => !excused(key))).toEqual([]);
});

test.each(Object.entries(exceptions))('%s has a reason, and is needed', (key, exception) => {
  expect(exception.reason).toMatch(/\w+ \w+.*\.$/);
  const needed = exception.languages.filter((lang) => tooLong(lang).includes(key));
  expect(needed).not.toEqual([]);
});
