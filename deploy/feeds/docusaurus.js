// In docusaurus.config.js, under "blog" in the preset or the plugin. The feed is blog/feed.json of the build.
const blog = {
  feedOptions: {
    type: 'json',
    limit: false,
    // By default the feed has the dates as those of the last change.
    createFeedItems: async ({ defaultCreateFeedItems, ...params }) =>
      (await defaultCreateFeedItems(params)).map((item) => ({ ...item, published: item.date })),
  },
};
