import { serveWorker } from '../service/worker-home.ts';
import { describeClient } from './over-http.ts';

describeClient('over the Worker', async (blog, settings) => {
  const service = await serveWorker(blog, settings);
  return {
    service,
    async publish() {
      await service.publish();
      await service.stop();
      await service.restart(); // The Worker notices the new snapshot by itself only after seconds.
    },
  };
});
