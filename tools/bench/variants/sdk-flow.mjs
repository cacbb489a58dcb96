import { handler as members } from '../../../functions/members/handler.ts';
import { connect } from './sdk.mjs';

/** This service with the SDK, as in a deployment. */
connect();
export const handler = members;
