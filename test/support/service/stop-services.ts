import { services } from './start-services.ts';

/** Stops the services of this run. */
export default async function stopServices(): Promise<void> {
  await Promise.all(services.map((service) => service.stop()));
}
