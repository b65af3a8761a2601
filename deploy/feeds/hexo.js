// scripts/feed.js. Title, address, language and author come from _config.yml.
const { stripHTML } = require('hexo-util');

hexo.extend.generator.register('feed', ({ posts }) => {
  const { title, url, language, author } = hexo.config;
  return {
    path: 'feed.json',
    data: JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      home_page_url: `${url}/`,
      feed_url: `${url}/feed.json`,
      language: [language].flat()[0],
      authors: [{ name: author }],
      items: posts.toArray().map((post) => {
        const [category, ...categories] = post.categories.toArray();
        return {
          id: post.permalink,
          url: post.permalink,
          title: post.title,
          summary: post.description || stripHTML(post.excerpt),
          image: post.cover,
          date_published: post.date.format(),
          tags: [...categories, ...post.tags.toArray()].map(({ name }) => name),
          authors: post.author ? [{ name: post.author }] : undefined,
          _offprint: { category: category?.name },
          content_html: post.content,
        };
      }),
    }),
  };
});
