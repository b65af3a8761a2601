# frozen_string_literal: true

# Loaded into Jekyll by Ruby (RUBYOPT), so that it also works in safe mode and with any Gemfile. The site renders its
# documents; this module writes each as a record (import/engine/records.ts) into a folder, and stops Jekyll from writing the site.
module OffprintExport
  MARK = ENV["OFFPRINT_EXPORT_MARK"]
  FOLDER = ENV["OFFPRINT_EXPORT_FOLDER"]

  class << self
    # Attaches as soon as Jekyll is loaded.
    def wait_for_jekyll
      waiting = TracePoint.new(:end) do |point|
        next unless point.path.end_with?("/jekyll.rb") && defined?(::Jekyll) && point.self.equal?(::Jekyll)

        waiting.disable
        attach
      end
      waiting.enable
    end

    def attach
      Jekyll::Hooks.register(:site, :after_init) { |site| withhold(site) }
      Jekyll::Hooks.register(:site, :pre_render) { |site| prepare(site) }
      Jekyll::Hooks.register(:site, :post_render, :priority => :low) { |site| export(site) }
    end

    private

    # Writes nothing, and does not render pages that are not documents.
    def withhold(site)
      [:write, :cleanup, :render_pages].each { |name| site.define_singleton_method(name) { |*| nil } }
    end

    # Removes the layouts around bodies. Front matter of layouts stays, because documents may refer to it.
    def prepare(site)
      site.layouts.each_value { |layout| layout.content = "{{ content }}" }
      @with_lead = documents(site).select { |document| lead_marked?(document) }
    end

    def lead_marked?(document)
      separator = document.respond_to?(:excerpt_separator) ? document.excerpt_separator.strip : ""
      !separator.empty? && document.content.to_s.include?(separator)
    end

    def export(site)
      record({ "site" => facts_of_site(site) }, "")
      documents(site).each do |document|
        next unless own_language?(document, site)

        record({ "page" => facts_of(document, site), "data" => plain(document.data) }, document.output.to_s)
      end
      site.pages.each do |page|
        file = site.in_source_dir(page.path.to_s)
        next unless File.file?(file) && own_language?(page, site)

        record({ "page" => { "file" => file, "url" => page.url } }, "")
      end
    end

    def documents(site)
      site.collections.each_value.flat_map(&:docs)
    end

    # Polyglot renders a site once per language, and fills gaps with documents of the default language.
    def own_language?(page, site)
      active = active_language(site)
      active.nil? || (page.data["lang"] || site.config["default_lang"]) == active
    end

    def active_language(site)
      site.respond_to?(:active_lang) ? site.active_lang : nil
    end

    def facts_of_site(site)
      config = site.config
      {
        "version" => Jekyll::VERSION, "title" => text(config["title"] || config["name"]), "url" => address(site, ""),
        "author" => plain(config["author"]), "language" => text(config["default_lang"] || config["lang"] || config["locale"]),
        "messages" => Jekyll.logger.messages.map { |message| utf8(message) }
      }
    end

    def facts_of(document, site)
      {
        "file" => document.path, "url" => address(site, document.url), "collection" => document.collection.label,
        "title" => text(document.data["title"]), "slug" => text(document.data["slug"]), "date" => date_of(document, site), "lead" => lead_of(document),
        "updated" => updated_of(document), "isPage" => document.write?
      }
    end

    # Front matter has a text or a date; the plug-in jekyll-last-modified-at, an object.
    def updated_of(document)
      value = document.data["last_modified_at"]
      value.respond_to?(:last_modified_at_time) ? plain(value.last_modified_at_time) : nil
    end

    # Jekyll dates a document without a date by the current time.
    def date_of(document, site)
      document.date == site.time ? nil : document.date.to_time.strftime("%Y-%m-%dT%H:%M:%S%:z")
    end

    def lead_of(document)
      excerpt = document.data["excerpt"]
      return nil if excerpt.nil? || excerpt.is_a?(String) || !@with_lead.include?(document)

      utf8((excerpt.respond_to?(:output) && excerpt.output) || excerpt.to_s)
    end

    def address(site, path)
      base = site.config["baseurl"].to_s.delete_prefix("/").chomp("/")
      language = active_language(site)
      language = nil if language == site.config["default_lang"] || path.empty?
      [site.config["url"].to_s.chomp("/"), *[base, language].compact.reject(&:empty?)].join("/") + path
    end

    def record(facts, body)
      @count = (@count || 0) + 1
      # The process id keeps names unique: a site may render its languages in parallel processes.
      File.open(File.join(FOLDER, format("%<pid>d-%<count>08d.page", :pid => Process.pid, :count => @count)), "wb") do |file|
        file.write(MARK, [JSON.generate(facts)].pack("m0"), MARK, "\n", body, "\n", MARK)
      end
    end

    # Keeps values that JSON supports; anything else (an excerpt, a page) becomes nil.
    def plain(value, depth = 0)
      return nil if depth > 50

      case value
      when Hash then value.to_h { |key, item| [utf8(key.to_s), plain(item, depth + 1)] }
      when Array then value.map { |item| plain(item, depth + 1) }
      when String, Symbol then utf8(value.to_s)
      when Integer, true, false then value
      when Float then value.finite? ? value : nil
      when Time, DateTime then value.to_time.strftime("%Y-%m-%dT%H:%M:%S%:z")
      when Date then value.to_s
      end
    end

    def text(value)
      value.nil? ? nil : utf8(value.is_a?(Array) ? value.join : value.to_s) # As Liquid shows a list.
    end

    def utf8(text)
      text.dup.force_encoding(Encoding::UTF_8).scrub
    end
  end
end

if OffprintExport::MARK && OffprintExport::FOLDER
  require "json"
  require "date"
  OffprintExport.wait_for_jekyll
end
