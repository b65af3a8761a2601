// feed.11ty.mjs, in the input folder. The posts are those with the tag "post".
const site = { title: 'My blog', url: 'https://blog.example', language: 'en' };

export const data = {
  permalink: '/feed.json',
  eleventyExcludeFromCollections: true,
  eleventyImport: { collections: ['post'] },
};

export function render({ collections }) {
  const posts = collections.post.filter(({ data }) => !data.draft);
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: site.title,
    home_page_url: `${site.url}/`,
    feed_url: `${site.url}/feed.json`,
    language: site.language,
    items: posts.map(({ url, date, data, content }) => ({
      id: site.url + url,
      url: site.url + url,
      title: data.title,
      summary: data.description,
      image: data.image,
      date_published: date.toISOString(),
      tags: data.tags.filter((tag) => tag !== 'post'),
      authors: data.author ? [{ name: data.author }] : undefined,
      _offprint: { category: data.category },
      content_html: content,
    })),
  });
}
