import { handler as members } from '../../../functions/members/handler.ts';
import { stub } from './data.mjs';

/** This service. */
stub();
export const handler = members;
