import { members } from '../../../functions/members.ts';
import { serve } from '../../../shared/lambda/serve.ts';
import { stub } from './data.mjs';

/** This service. */
stub();
export const handler = serve(members);
