// src/pages/feed.json.js, for a content collection "blog" with Markdown and MDX. The configuration must set "site". Without
// MDX, leave out both lines with "mdx". For components of another framework, add its renderer in the same way.
import mdx from '@astrojs/mdx/server.js';
import { getCollection, render } from 'astro:content';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';

const title = 'My blog';
const addressOf = (post, site) => new URL(`/blog/${post.id}/`, site).href;

export async function GET({ site }) {
  const container = await AstroContainer.create();
  container.addServerRenderer({ renderer: mdx });
  const posts = await getCollection('blog', ({ data }) => !data.draft);
  const items = posts.map(async (post) => ({
    id: addressOf(post, site),
    url: addressOf(post, site),
    title: post.data.title,
    summary: post.data.description,
    date_published: new Date(post.data.pubDate).toISOString(),
    tags: post.data.tags,
    authors: post.data.author ? [{ name: post.data.author }] : undefined,
    _offprint: { category: post.data.category },
    content_html: await container.renderToString((await render(post)).Content),
  }));
  return Response.json({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: site.href,
    feed_url: new URL('/feed.json', site).href,
    items: await Promise.all(items),
  });
}
