import type { Idempotency } from '../../resource/actions/capabilities.ts';
import { recordAnswer, recordedAnswerOf } from './answers.ts';

/** The capability to record answers in the table that all resources share. */
export const recordedAnswers: Idempotency = { replay: recordedAnswerOf, record: recordAnswer };
