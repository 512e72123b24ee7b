/** Where the keyboard focus goes when a part of the page appears. */

import type { Attachment } from 'svelte/attachments';
import { isTouchDevice } from './touch-device';

/** Take the focus if whatever had it is gone, so that the keyboard never loses its place. */
export const focusIfLost: Attachment<HTMLElement> = (element) => {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  // Touch users don't need the ring.
  element.focus(isTouchDevice() ? { focusVisible: false } : {});
};

/** Whether a dialog lies over the page: then no key is meant for what is behind it. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Take the focus as soon as the element is there. */
export const focusNow: Attachment<HTMLElement> = (element) => {
  element.focus();
  if (element instanceof HTMLInputElement) element.select();
};
