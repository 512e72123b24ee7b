// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { t, translations } from './i18n.svelte';

test('rules and lessons stay loaded when the language changes', async () => {
  await translations.load('en');
  expect(t('page.lesson.you')).toBe('');
  await translations.loadLongTexts();
  const english = t('page.lesson.you');
  expect(english).not.toBe('');
  await translations.load('de');
  expect(t('page.lesson.you')).not.toBe('');
  expect(t('page.lesson.you')).not.toBe(english);
});

test('the language requested last is shown, whatever else is loaded meanwhile', async () => {
  await translations.load('en');
  const german = translations.load('de');
  const long = translations.loadLongTexts();
  await german;
  expect([translations.language, t('page.lesson.you') !== '']).toEqual(['de', true]);
  await long;
  expect(translations.language).toBe('de');
  await Promise.all([translations.load('pl'), translations.load('fr'), translations.load('cs')]);
  expect([translations.language, document.documentElement.lang]).toEqual(['cs', 'cs']);
});
