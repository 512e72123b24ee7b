/** What people agree on before they pass Ubongo around. */

import type { SideName, UbongoOptions } from '../../../lib/wire';
import type { PassAndPlayChoices } from '../../module';
import PassAndPlayForm from './PassAndPlayForm.svelte';
import { saveSecondsPerTurn } from './race.svelte';

export class RaceChoices implements PassAndPlayChoices {
  pieces: SideName = $state(3);
  seconds: number | null = $state(60);
  rounds: UbongoOptions['rounds'] = $state(9);

  /** The table itself runs no timer: each turn is timed here. */
  get options() {
    const { pieces, rounds } = this;
    return { pieces, rounds, same_puzzle: true, seconds: null, patience: null };
  }

  rememberForTable(table: string): void {
    saveSecondsPerTurn(table, this.seconds);
  }
}

export const Form = PassAndPlayForm;

export const createChoices = (): RaceChoices => new RaceChoices();
