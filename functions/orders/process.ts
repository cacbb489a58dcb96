import type { Process } from '../../shared/resource/process.ts';
import type { STATES } from './fields.ts';

/** The transitions of an order. A client can cancel an order until it is completed. Source: Specification 8.1. */
export const PROCESS: Process<(typeof STATES)[number]> = {
  field: 'status',
  initial: 'created',
  transitions: {
    pay: { from: ['created'], to: 'paid' },
    place: { from: ['paid'], to: 'placed' },
    complete: { from: ['placed'], to: 'completed' },
    cancel: { from: ['created', 'paid', 'placed'], to: 'canceled' },
  },
};
