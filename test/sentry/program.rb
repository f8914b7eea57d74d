# Reports errors by the SDK of Sentry. The first argument is the DSN.
require "sentry-ruby"

Sentry.init do |config|
  config.dsn = ARGV[0]
  config.release = "api@1.0.0"
  config.background_worker_threads = 0
end

def total(cart)
  cart.fetch(:price)
end

begin
  total({})
rescue KeyError => error
  Sentry.capture_exception(error)
end
