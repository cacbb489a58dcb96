import type { Process } from '../../shared/resource/process.ts';
import type { STATES } from './fields.ts';

/** From payment to completion. An order can be canceled until it is completed. */
export const PROCESS: Process<(typeof STATES)[number]> = {
  field: 'status',
  moves: {
    pay: { from: ['created'], to: 'paid' },
    place: { from: ['paid'], to: 'placed' },
    complete: { from: ['placed'], to: 'completed' },
    cancel: { from: ['created', 'paid', 'placed'], to: 'canceled' },
  },
};
