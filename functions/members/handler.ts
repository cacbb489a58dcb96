import { serve } from '../../shared/lambda/serve.ts';
import { members } from './resource.ts';

export const handler = serve(members);
