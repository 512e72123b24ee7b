/** Requests about circles: groups that play regularly. */

import { call } from '../connection/api';
import { ensureCookie } from '../connection/device-cookie';
import { storage } from '../lib/storage';
import type { CircleAnswer, CircleResults, MyCircle } from '../lib/wire';

/** Whether this browser may be in a circle, so that the first page asks for circles. */
export const mayHaveCircles = (): boolean => storage.get('circles', false);

const setMayHaveCircles = (has: boolean): void => storage.set('circles', has);

/** Request a membership. Gets a cookie first, so that a lost answer loses nothing. */
async function requestMembership(path: string, body: unknown): Promise<CircleAnswer> {
  await ensureCookie();
  const answer = await call<CircleAnswer>('POST', path, body);
  setMayHaveCircles(true);
  return answer;
}

export async function loadMyCircles(): Promise<MyCircle[]> {
  const mine = await call<MyCircle[]>('GET', '/circles');
  setMayHaveCircles(mine.length > 0);
  return mine;
}

export const startCircle = (name: string, member: string): Promise<CircleAnswer> =>
  requestMembership('/circles', { name, member });

export const joinCircle = (circle: string, name: string): Promise<CircleAnswer> =>
  requestMembership(`/circles/${circle}/members`, { name });

/** Move a membership here, with the code from another device. */
export const recoverMember = (circle: string, code: string): Promise<CircleAnswer> =>
  requestMembership(`/circles/${circle}/recover`, { code });

export const loadCircle = (circle: string): Promise<CircleAnswer> =>
  call<CircleAnswer>('GET', `/circles/${circle}`);

export const loadResults = (circle: string, before: string | null): Promise<CircleResults> =>
  call<CircleResults>('GET', `/circles/${circle}/results${before ? `?before=${before}` : ''}`);

export const renameCircle = (circle: string, name: string): Promise<CircleAnswer> =>
  call<CircleAnswer>('PUT', `/circles/${circle}/name`, { name });

export const renameMe = (circle: string, name: string): Promise<CircleAnswer> =>
  call<CircleAnswer>('PUT', `/circles/${circle}/me`, { name });

/** Leave, or remove another member. */
export const removeMember = (circle: string, member: number): Promise<unknown> =>
  call<unknown>('DELETE', `/circles/${circle}/members/${member}`);
