import { rmSync } from 'node:fs';
import { readBlog } from './blog.js';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export const config = { dir: { input: 'pages', output: '_site' } };

export default async function configure(eleventy) {
  // First: if the API's limit is reached, the site does not change.
  const blog = await readBlog({
    url: process.env.OFFPRINT_URL || 'http://127.0.0.1:8787',
    key: process.env.OFFPRINT_KEY,
    folder: '.cache/blog',
  });
  eleventy.addGlobalData('blog', blog);
  eleventy.addFilter('day', (time) => DAY.format(new Date(time)));
  eleventy.addPassthroughCopy('pages/style.css');
  // Otherwise pages of removed articles would stay.
  eleventy.on('eleventy.before', ({ directories, runMode }) => {
    if (runMode === 'build') rmSync(directories.output, { recursive: true, force: true });
  });
}
