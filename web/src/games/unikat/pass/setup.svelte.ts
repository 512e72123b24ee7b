/** What people agree on before they pass Unikat around. */

import type { PassChoices } from '../../module';
import PassForm from './PassForm.svelte';

export class UnikatChoices implements PassChoices {
  rounds = $state(1);

  get options() {
    return { rounds: this.rounds };
  }
}

export const Form = PassForm;

export const createChoices = (): UnikatChoices => new UnikatChoices();
