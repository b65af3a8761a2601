import { join } from 'node:path';
import { answerOf } from '../service/in-process.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { describeClient } from './over-http.ts';

describeClient('over Node', async (blog, settings) => {
  const service = await inProcessHome.serve(blog, settings);
  return {
    service,
    async publish() {
      const [db, out, config] = ['blog.db', 'out', 'offprint.json'].map((name) => join(service.folder, name));
      await answerOf(['build', '--db', `${db}`, '--out', `${out}`, '--config', `${config}`]);
      await service.stop();
      await service.restart(); // The service notices the new snapshot by itself only after seconds.
    },
  };
});
