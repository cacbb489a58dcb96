import { CLOSED } from '#service';
import { basePathOf } from '../../shared/lambda/event.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { isDenied } from '../../shared/store/idempotency/denied-subjects.ts';
import { authorizing } from './authorizer.ts';

export const handler = observeBackground('authorizer', authorizing(CLOSED, { basePathOf, isDenied }));
