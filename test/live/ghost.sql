-- The tables of Ghost 5 and 6 that contain a blog, as Ghost creates them in SQLite, without unrelated
-- columns.
CREATE TABLE `posts` (`id` varchar(24) not null, `uuid` varchar(36) not null, `title` varchar(2000) not null,
  `slug` varchar(191) not null, `mobiledoc` text null, `lexical` text null, `html` text null,
  `comment_id` varchar(50) null, `plaintext` text null, `feature_image` varchar(2000) null,
  `featured` boolean not null default '0', `type` varchar(50) not null default 'post',
  `status` varchar(50) not null default 'draft', `locale` varchar(6) null,
  `visibility` varchar(50) not null default 'public', `email_recipient_filter` text not null,
  `created_at` datetime not null, `updated_at` datetime null, `published_at` datetime null,
  `published_by` varchar(24) null, `custom_excerpt` varchar(2000) null, `codeinjection_head` text null,
  `codeinjection_foot` text null, `custom_template` varchar(100) null, `canonical_url` text null,
  `newsletter_id` varchar(24) null, `show_title_and_feature_image` boolean not null default '1',
  primary key (`id`));
CREATE UNIQUE INDEX `posts_slug_type_unique` on `posts` (`slug`, `type`);
CREATE TABLE `posts_meta` (`id` varchar(24) not null, `post_id` varchar(24) not null,
  `og_image` varchar(2000) null, `meta_title` varchar(2000) null, `meta_description` varchar(2000) null,
  `email_only` boolean not null default '0', foreign key(`post_id`) references `posts`(`id`), primary key (`id`));
CREATE UNIQUE INDEX `posts_meta_post_id_unique` on `posts_meta` (`post_id`);
CREATE TABLE `users` (`id` varchar(24) not null, `name` varchar(191) not null, `slug` varchar(191) not null,
  `password` varchar(60) not null, `email` varchar(191) not null, `profile_image` varchar(2000) null,
  `status` varchar(50) not null default 'active', `visibility` varchar(50) not null default 'public',
  `last_seen` datetime null, `created_at` datetime not null, primary key (`id`));
CREATE TABLE `posts_authors` (`id` varchar(24) not null, `post_id` varchar(24) not null,
  `author_id` varchar(24) not null, `sort_order` integer not null default '0',
  foreign key(`post_id`) references `posts`(`id`), foreign key(`author_id`) references `users`(`id`), primary key (`id`));
CREATE TABLE `tags` (`id` varchar(24) not null, `name` varchar(191) not null, `slug` varchar(191) not null,
  `description` text null, `visibility` varchar(50) not null default 'public', `created_at` datetime not null,
  primary key (`id`));
CREATE TABLE `posts_tags` (`id` varchar(24) not null, `post_id` varchar(24) not null,
  `tag_id` varchar(24) not null, `sort_order` integer not null default '0',
  foreign key(`post_id`) references `posts`(`id`), foreign key(`tag_id`) references `tags`(`id`), primary key (`id`));
CREATE TABLE `settings` (`id` varchar(24) not null, `group` varchar(50) not null default 'core',
  `key` varchar(50) not null, `value` text null, `type` varchar(50) not null, `flags` varchar(50) null,
  `created_at` datetime not null, primary key (`id`));
CREATE TABLE `sessions` (`id` varchar(24) not null, `session_data` varchar(2000) not null, primary key (`id`));
