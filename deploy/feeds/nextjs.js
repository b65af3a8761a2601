// app/feed.json/route.js. "allPosts" stands for your function that lists posts; "html" is the rendered text.
import { allPosts } from '../../lib/posts';

const site = { title: 'My blog', url: 'https://blog.example', language: 'en' };

export const dynamic = 'force-static';

export async function GET() {
  const posts = (await allPosts()).filter(({ draft }) => !draft);
  return Response.json({
    version: 'https://jsonfeed.org/version/1.1',
    title: site.title,
    home_page_url: `${site.url}/`,
    feed_url: `${site.url}/feed.json`,
    language: site.language,
    items: posts.map(({ slug, title, description, image, date, tags, category, author, html }) => ({
      id: `${site.url}/blog/${slug}`,
      url: `${site.url}/blog/${slug}`,
      title,
      summary: description,
      image,
      date_published: new Date(date).toISOString(),
      tags,
      authors: author ? [{ name: author }] : undefined,
      _offprint: { category },
      content_html: html,
    })),
  });
}
