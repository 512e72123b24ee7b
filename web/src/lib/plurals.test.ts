// @vitest-environment happy-dom
/**
 * Plurals as taught at school. The table is written by hand, and Python is tested against it too.
 */

import { expect, test } from 'vitest';
import { t, translations, type Key } from './i18n.svelte';
import table from './plurals.vectors.json';

interface Counted {
  numbers: Record<string, number[]>;
  texts: Record<string, Record<string, string>>;
}
const languages = Object.entries(table) as unknown as [string, Counted][];

test.each(languages)('%s counts from 0 to 31', async (language, { numbers, texts }) => {
  await translations.load(language);
  expect(translations.language).toBe(language);
  expect(Object.values(numbers).flat().length).toBe(32);
  for (const [key, forms] of Object.entries(texts))
    for (const [form, found] of Object.entries(numbers))
      for (const n of found) expect(t(key as Key, { n })).toBe(forms[form]!.replace('{n}', `${n}`));
});
