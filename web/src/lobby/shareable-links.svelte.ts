/**
 * Links to give to others. On the server's own machine the page may be open at an address that
 * nobody else can use, such as localhost: then links have the machine's address in its network.
 */

import { call } from '../connection/api';
import { absoluteUrl } from '../lib/navigation';
import type { Lan } from '../lib/wire';

/** How to start the server for others. */
export const LAN_SERVER_COMMAND = 'pytlik --lan';

/** Who can open our links. */
export type Reach = 'everyone' | 'network' | 'this_computer';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

class ShareableLinks {
  readonly #isLocal = LOOPBACK.test(location.hostname);
  /** This machine's address in its network, null if there is none; undefined until it's known. */
  #lanHost: string | null | undefined = $state();
  #asking: Promise<void> | null = null;

  /** Undefined until it's known. */
  get reach(): Reach | undefined {
    if (!this.#isLocal) return 'everyone';
    if (this.#lanHost === undefined) return undefined;
    return this.#lanHost ? 'network' : 'this_computer';
  }

  /** The address of a page for everyone who can reach us. */
  url(path: string): string {
    const url = new URL(absoluteUrl(path));
    if (this.#lanHost) url.hostname = this.#lanHost;
    return url.href;
  }

  /** Ask the server for its address in the network, once, if ours is of no use to others. */
  async findLanHost(): Promise<void> {
    if (this.#isLocal) await (this.#asking ??= this.#askForLanHost());
  }

  async #askForLanHost(): Promise<void> {
    try {
      this.#lanHost = (await call<Lan>('GET', '/lan')).host;
    } catch {
      this.#asking = null;
    }
  }
}

export const shareableLinks = new ShareableLinks();
