/** Components contain no text that people see: it's all in the catalogues. */

import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>('/src/**/*.svelte', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Attributes whose text is shown or read out. */
const READ = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title']);

/** Text that is the same in all languages: names, and letters on keys. */
const NAMES = /^(?:Pytlik|Ubongo!|[A-Z])$/;

const isText = (text: string): boolean => /\p{L}/u.test(text) && !NAMES.test(text.trim());

type Node = Record<string, unknown> & { type?: string };

/** The literal strings that an expression may evaluate to, as in `open ? 'Close' : 'Open'`. */
function literals(node: Node | null | undefined): string[] {
  switch (node?.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : [];
    case 'TemplateLiteral':
      return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    case 'ConditionalExpression':
      return [...literals(node['consequent'] as Node), ...literals(node['alternate'] as Node)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return [...literals(node['left'] as Node), ...literals(node['right'] as Node)];
    default:
      return [];
  }
}

function visibleTexts(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(visibleTexts);
  if (typeof node !== 'object' || node === null) return [];
  const each = node as Node;
  switch (each.type) {
    case 'Text':
      return [String(each['data'])];
    case 'ExpressionTag':
      return literals(each['expression'] as Node);
    case 'Attribute':
      return READ.has(String(each['name'])) ? visibleTexts(each['value']) : [];
    case 'StyleDirective':
      return [];
    default:
      return Object.values(each).flatMap(visibleTexts);
  }
}

const find = (source: string): string[] => {
  const root: AST.Root = parse(source, { modern: true });
  return visibleTexts(root.fragment).filter(isText);
};

const scripts = import.meta.glob<string>(['/src/**/*.{ts,svelte}', '!/src/**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A string that begins like a sentence. */
const SENTENCE = /(['"`])(\p{Lu}\p{Ll}+ [\p{L}’'$][^'"`\n]*)\1/gu;

/** Error messages are for developers. */
const ERROR = /new \w*Error\(\s*$/;

/** Shown if no texts could be loaded in any language. */
const WITHOUT_TEXTS = /^Pytlik could not be loaded\./;

function sentences(source: string): string[] {
  const code = source.replace(/\/\*[^]*?\*\/|(?<=\s)\/\/.*|<!--[^]*?-->/g, '');
  return [...code.matchAll(SENTENCE)]
    .filter(({ index }) => !ERROR.test(code.slice(0, index)))
    .map(([, , text]) => text!)
    .filter((text) => !WITHOUT_TEXTS.test(text));
}

test.each(Object.entries(scripts))('no sentence in the script of %s', (_, source) => {
  expect(sentences(source)).toEqual([]);
});

test('sentences in scripts are found', () => {
  expect(sentences("toasts.show('Nothing was saved');")).toEqual(['Nothing was saved']);
  expect(sentences('say(`Round ${n} is over`)')).toEqual(['Round ${n} is over']);
  expect(sentences("throw new TypeError('No such seat'); // 'Not me' ")).toEqual([]);
});

test.each(Object.entries(sources))('%s', (_, source) => {
  expect(find(source)).toEqual([]);
});

test('texts in markup are found', () => {
  expect(find('<p>Your turn</p>')).toEqual(['Your turn']);
  expect(find("<p>{open ? 'Close' : t('page.open')}</p>")).toEqual(['Close']);
  expect(find('<button aria-label="Close" class="wide">×</button>')).toEqual(['Close']);
  expect(find('<p>{`${n} tiles`}</p>')).toEqual([' tiles']);
  expect(find("<p class={wide ? 'wide' : ''}>Pytlik: {n}</p>")).toEqual(['Pytlik: ']);
});
