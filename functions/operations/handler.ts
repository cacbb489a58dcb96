import { serve } from '../../shared/lambda/serve.ts';
import { operations } from './resource.ts';

export const handler = serve(operations);
