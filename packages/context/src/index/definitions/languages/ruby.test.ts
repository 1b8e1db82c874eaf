import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('an end closes what has its indentation, also behind a heredoc', () => {
  const text = `
# frozen_string_literal: true
require 'rack'

module Sinatra
  VERSION = '4.0'.freeze
  LIST = [
    1,
  ].freeze

  class NotFound < NameError; end

  class Base
    Route = Struct.new(:path) do
      def match?(other) = path == other
    end

    attr_reader :app

    class << self
      def get(path, &block)
        route(path) do
          block.call
        end
      rescue ArgumentError
        nil
      end
    end

    def self.call(env)
      new.call(env)
    end

    def [](key) = @data[key]

    def call!(env)
      text = <<~HTML
end
        class NotMe
      HTML
      if env
        text
      end
    end

    private def secret; end

    define_method(:dynamic) { 1 }

    def value=(v)
      @value = v
    end
  end
end

class Sinatra::Helpers::Stream
  def each
  end
end

=begin
class Commented
=end

def top_level(a, b = {})
  a
end
`;

  expect(outline('a.rb', text)).toEqual([
    '4-53 module Sinatra',
    '5-5 constant Sinatra > VERSION',
    '6-8 constant Sinatra > LIST',
    '10-10 class Sinatra > NotFound',
    '12-52 class Sinatra > Base',
    '13-15 class Base > Route',
    '14-14 method Route > match?',
    '20-26 method Base > get',
    '29-31 method Base > call',
    '33-33 method Base > []',
    '35-43 method Base > call!',
    '45-45 method Base > secret',
    '47-47 method Base > dynamic',
    '49-51 method Base > value=',
    '55-58 class Helpers > Stream',
    '56-57 method Stream > each',
    '64-66 function top_level',
  ]);
});
