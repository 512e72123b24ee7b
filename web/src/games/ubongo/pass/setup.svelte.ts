/** What people agree on before they pass Ubongo around. */

import type { SideName, UbongoOptions } from '../../../lib/wire';
import type { PassChoices } from '../../module';
import PassForm from './PassForm.svelte';
import { savePassSeconds } from './race.svelte';

export class RaceChoices implements PassChoices {
  pieces: SideName = $state(3);
  seconds: number | null = $state(60);
  rounds: UbongoOptions['rounds'] = $state(9);

  /** The table itself runs no timer: each turn is timed here. */
  get options() {
    const { pieces, rounds } = this;
    return { pieces, rounds, same_puzzle: true, seconds: null, patience: null };
  }

  remember(table: string): void {
    savePassSeconds(table, this.seconds);
  }
}

export const Form = PassForm;

export const createChoices = (): RaceChoices => new RaceChoices();
