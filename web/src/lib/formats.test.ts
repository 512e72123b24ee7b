// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { formatClockWithTenths } from './format-clock';
import { LANGUAGES, t, translations } from './i18n.svelte';
import { formatList } from './format-list';
import { settings } from './settings.svelte';

const SPACE = '\u00a0';

test.each([
  ['en', '0:41.3'],
  ['de', '0:41,3'],
  ['uk', '0:41,3'],
])('times in %s have its decimal separator', async (language, shown) => {
  await translations.load(language);
  expect(formatClockWithTenths(41_399)).toBe(shown);
});

test('times are truncated, never rounded up', async () => {
  await translations.load('en');
  expect(formatClockWithTenths(59_999)).toBe('0:59.9');
  expect(formatClockWithTenths(60_000)).toBe('1:00.0');
  expect(formatClockWithTenths(725_050)).toBe('12:05.0');
});

test.each([
  ['en', 'Ann, Ben and Cem'],
  ['de', 'Ann, Ben und Cem'],
  ['pl', `Ann, Ben i${SPACE}Cem`],
  ['cs', `Ann, Ben a${SPACE}Cem`],
])('names in %s are joined as people would say them', async (language, joined) => {
  await translations.load(language);
  expect(formatList(['Ann', 'Ben', 'Cem'])).toBe(joined);
});

test('single letters do not end a line', async () => {
  await translations.load('pl');
  expect(translations.addNoBreakSpaces('i z wystawki, a W kolei; Ola ma')).toBe(
    `i${SPACE}z${SPACE}wystawki, a${SPACE}W${SPACE}kolei; Ola ma`,
  );
  const text = t('page.coach.swap', { give: 'a b', take: 'a b' });
  expect(text).toContain('a b');
  expect(t('page.daily.unikat.score', { n: 3, most: 5 })).toContain(`z${SPACE}5`);
  await translations.load('de');
  expect(translations.addNoBreakSpaces('a b')).toBe('a b');
});

describe('every language', () => {
  test.each(Object.entries(LANGUAGES))('%s has a name and a locale', async (code, name) => {
    await translations.load(code);
    expect(new Intl.Locale(translations.locale).language).toBe(code);
    const own = new Intl.DisplayNames(translations.locale, { type: 'language' }).of(code);
    expect(name.toLowerCase()).toBe(own?.toLowerCase());
  });

  test('is in the menu in alphabetical order', () => {
    const names = Object.values(LANGUAGES);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
    expect(names).toContain('English');
  });
});

test('the edition of Unikat is the one known where the language is spoken', async () => {
  await translations.load('cs');
  expect(settings.skin).toBe('granna');
  await translations.load('fr');
  expect(settings.skin).toBe('huch');
});

test('the page is installed in the chosen language', async () => {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = 'http://localhost/games/manifest.webmanifest';
  document.head.append(link);
  await translations.load('en');
  await translations.load('nl');
  expect(document.documentElement.lang).toBe('nl');
  expect(link.href).toBe('http://localhost/games/manifest.webmanifest?lang=nl');
  link.remove();
});
