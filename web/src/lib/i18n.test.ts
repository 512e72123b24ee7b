// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { t, words } from './i18n.svelte';

test('rules and lessons stay loaded when the language changes', async () => {
  await words.load('en');
  expect(t('page.lesson.you')).toBe('');
  await words.loadLongTexts();
  const english = t('page.lesson.you');
  expect(english).not.toBe('');
  await words.load('de');
  expect(t('page.lesson.you')).not.toBe('');
  expect(t('page.lesson.you')).not.toBe(english);
});

test('the language that was asked for last is shown, whatever is loaded meanwhile', async () => {
  await words.load('en');
  const german = words.load('de');
  const long = words.loadLongTexts();
  await german;
  expect([words.language, t('page.lesson.you') !== '']).toEqual(['de', true]);
  await long;
  expect(words.language).toBe('de');
  await Promise.all([words.load('pl'), words.load('fr'), words.load('cs')]);
  expect([words.language, document.documentElement.lang]).toEqual(['cs', 'cs']);
});
