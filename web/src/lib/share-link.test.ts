// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareLink } from './share-link';
import { toasts } from './toasts.svelte';

const LINK = { text: 'Come and play', url: 'https://play.example/t/abc' };
const writeText = vi.fn<(text: string) => Promise<void>>();
const show = vi.spyOn(toasts, 'show');

beforeEach(() => {
  writeText.mockReset();
  writeText.mockResolvedValue();
  show.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

const withNavigator = (share?: () => Promise<void>) =>
  vi.stubGlobal('navigator', { share, clipboard: { writeText } });

test('without the share API, the link is copied', async () => {
  withNavigator();
  await shareLink(LINK, 'Copied.');
  expect(writeText).toHaveBeenCalledExactlyOnceWith('Come and play https://play.example/t/abc');
  expect(show).toHaveBeenCalledExactlyOnceWith('Copied.');
});

test('a cancelled share shows nothing', async () => {
  withNavigator(() => Promise.reject(new DOMException('', 'AbortError')));
  await shareLink(LINK, 'Copied.');
  expect(writeText).not.toHaveBeenCalled();
  expect(show).not.toHaveBeenCalled();
});

test('a link that can be neither shared nor copied is shown', async () => {
  const refused = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  writeText.mockImplementation(refused);
  for (const share of [undefined, refused]) {
    show.mockClear();
    withNavigator(share);
    await shareLink(LINK, 'Copied.');
    expect(show).toHaveBeenCalledExactlyOnceWith('Come and play https://play.example/t/abc');
  }
});
