// gatsby-node.js, for posts in Markdown (gatsby-transformer-remark). It writes public/feed.json after the build.
const { writeFileSync } = require('node:fs');

exports.onPostBuild = async ({ graphql }) => {
  const { data, errors } = await graphql(`
    {
      site {
        siteMetadata {
          title
          siteUrl
        }
      }
      allMarkdownRemark(sort: { frontmatter: { date: DESC } }) {
        nodes {
          html
          fields {
            slug
          }
          frontmatter {
            title
            description
            date
            tags
            author
            draft
          }
        }
      }
    }
  `);
  if (errors) throw errors[0];
  const { title, siteUrl } = data.site.siteMetadata;
  const posts = data.allMarkdownRemark.nodes.filter(({ frontmatter }) => !frontmatter.draft);
  const items = posts.map(({ html, fields, frontmatter }) => ({
    id: siteUrl + fields.slug,
    url: siteUrl + fields.slug,
    title: frontmatter.title,
    summary: frontmatter.description,
    date_published: new Date(frontmatter.date).toISOString(),
    tags: frontmatter.tags,
    authors: frontmatter.author ? [{ name: frontmatter.author }] : undefined,
    content_html: html,
  }));
  const feed = { version: 'https://jsonfeed.org/version/1.1', title, items };
  const addresses = { home_page_url: `${siteUrl}/`, feed_url: `${siteUrl}/feed.json` };
  writeFileSync('public/feed.json', JSON.stringify({ ...feed, ...addresses }));
};
