import { CLOSED } from '#service';
import { authorizing } from '../../shared/authorization/authorizer.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';

export const handler = observeBackground('authorizer', authorizing(CLOSED));
