import { authorizing } from '../../shared/authorization/authorizer.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { CLOSED } from './closed.generated.ts';

export const handler = observeBackground('authorizer', authorizing(CLOSED));
