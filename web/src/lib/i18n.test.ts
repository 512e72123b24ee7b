// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { t, words } from './i18n.svelte';

test('rules and lessons stay loaded when the language changes', async () => {
  await words.load('en');
  expect(t('page.lesson.you')).toBe('');
  await words.loadLong();
  const english = t('page.lesson.you');
  expect(english).not.toBe('');
  await words.load('de');
  expect(t('page.lesson.you')).not.toBe('');
  expect(t('page.lesson.you')).not.toBe(english);
});
