import { CLOSED } from '#service';
import { basePathOf } from '../../shared/lambda/event.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { authorizing } from './authorizer.ts';
import { isDenied } from './denied-subjects.ts';

export const handler = observeBackground('authorizer', authorizing(CLOSED, { basePathOf, isDenied }));
