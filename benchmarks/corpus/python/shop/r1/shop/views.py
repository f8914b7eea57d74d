import queue
import threading

import tinyform

from . import catalog, checks, db, feeds, jobs, models, notify, orders, payments, plugins, reports
from .errors import ShopError


def show(params):
    return catalog.find(params["name"])


def show_price(params):
    return catalog.price_of(params["row"])


def show_color(params):
    return catalog.paint("tea", params["color"])


def show_page(params):
    return catalog.page(list(range(10)), params["page"], 10)


def show_cheapest(params):
    return catalog.cheapest(list(catalog.PRODUCTS.values()))


def show_description(params):
    return catalog.describe(catalog.find("tea"))


def show_sorted(params):
    return catalog.sort_by([{"name": "a"}, {"name": params["value"]}], "name")


def show_rating(params):
    return catalog.average_rating([])


def catalog_total(params):
    return catalog.total(params["rows"])


def order_total(params):
    return orders.total(params["rows"])


def buy(params):
    return orders.reserve(catalog.find(params["name"]), 1000 + params["n"])


def add_to_basket(params):
    return orders.add("me", catalog.find("tea"))


def confirm_order(params):
    return orders.confirm(params["order"])


def show_last_order(params):
    return orders.last_order(params["user"])


def show_first_photo(params):
    return checks.first(params["photos"])


def show_delivery(params):
    return orders.delivery_date(params["text"])


def show_days(params):
    return orders.days_left({"due": params["due"]}, params["today"])


def show_address(params):
    return orders.split({"address": params["address"]})


def cancel_order(params):
    return orders.cancel({"id": params["id"], "state": "sent"})


def refund_order(params):
    return orders.refund({"id": params["id"], "state": "new"})


def merge_orders(params):
    return orders.merge({"a": 1, "b": 2}, {"a": 1, "b": 2})


def show_owner(params):
    return orders.owner_of(params["order"])


def show_account(params):
    return payments.account_of(params["customer"])


def pay(params):
    return payments.Gateway().charge(params["card"], params["amount"])


def pay_again(params):
    return payments.charge_with_retry(payments.Gateway(), params["card"], params["amount"])


def use_coupon(params):
    return payments.apply_coupon(params["code"], 100)


def show_amount(params):
    return payments.amount_of(params["text"])


def show_fee(params):
    return payments.fee(params["amount"])


def show_installments(params):
    return payments.installments(params["amount"], 3)


def show_iban(params):
    return payments.iban(params["iban"])


def round_amount(params):
    return payments.round_to(params["amount"], 2)


def new_product(params):
    return db.insert(db.connect(), "t-1", params["n"])


def new_product_without_stock(params):
    return db.insert(db.connect(), params["sku"], None)


def show_stock(params):
    return db.stock_of(db.connect(), params["sku"])


def search(params):
    return db.search(db.connect(), params["text"])


def rename_product(params):
    return db.rename(db.connect(), "t-1", params["sku"])


def find_by_sku(params):
    return db.by_sku(db.connect(), params["sku"])


def save_product(params):
    return db.save(db.connect(), {"sku": params["sku"]})


def read_closed(params):
    return db.close_and_read(db.connect())


def import_json(params):
    return feeds.read_json(params["text"])


def show_setting(params):
    return feeds.read_setting(params["text"], "theme")


def export(params):
    return feeds.dump({"product": catalog.find("tea"), "n": params["n"]})


def import_stock(params):
    return feeds.import_rows(params["text"])


def import_prices(params):
    return feeds.import_prices(params["text"])


def filter_products(params):
    return feeds.search_pattern(params["pattern"], "tea")


def show_year(params):
    return feeds.year_of(params["text"])


def show_group(params):
    return feeds.group_of(params["text"])


def import_xml(params):
    return feeds.parse_xml(params["text"])


def read_upload(params):
    return feeds.decode(params["data"])


def read_header(params):
    return feeds.decode_header(params["text"])


def read_binary(params):
    return feeds.unpack(params["data"])


def show_batch(params):
    return feeds.batch_id(params["text"])


def show_image(params):
    return feeds.image(params["path"])


async def mail(params):
    return await notify.Mailer("localhost", 1).send_all(params["messages"])


def connect_mail(params):
    return notify.Mailer("127.0.0.1", 1).connect()


def wait_mail(params):
    return notify.wait_for_answer()


def lookup_mail(params):
    return notify.lookup(params["host"])


async def mail_deadline(params):
    return await notify.with_deadline()


async def mail_numbers(params):
    return await notify.sum_up(4)


async def mail_nested(params):
    return await notify.nested()


async def mail_cancelled(params):
    return await notify.cancelled()


def pool(params):
    return jobs.in_pool(["tea", "cup"])


def pool_timeout(params):
    return jobs.wait_in_pool()


def next_job(params):
    return jobs.next_job(queue.Queue())


def release_lock(params):
    return jobs.release(threading.Lock())


def run_tool(params):
    return jobs.run_tool(params["code"])


def start_tool(params):
    return jobs.start_tool(params["name"])


def job_mail(params):
    return jobs.Job(jobs.HANDLERS["mail"]).run({"n": params["n"]})


def job_bill(params):
    return jobs.Job(jobs.HANDLERS["bill"]).run({"n": params["n"]})


def nightly(params):
    return jobs.nightly([{"day": 1, "sum": 3}, params["row"]])


def report_week(params):
    return reports.weekly(params["month"])


def report_ratio(params):
    return reports.ratio(params["n"], 0)


def report_percent(params):
    return reports.ratio_percent(params["n"], 0)


def report_mean(params):
    return reports.mean([])


def report_root(params):
    return reports.root(-params["n"])


def report_walk(params):
    node = {}
    node["parent"] = node
    return reports.walk(node)


def report_header(params):
    return reports.header("Sales", params["n"])


def report_joined(params):
    return reports.joined(["a", params["n"]])


def report_compare(params):
    return reports.compare(catalog.find("tea"), catalog.find("pot"))


def report_column(params):
    return reports.column([{"a": 1}], params["name"])


def report_best(params):
    return reports.best([])


def report_sums(params):
    return reports.sums([1, params["n"]])


def report_lines(params):
    return list(reports.lines())


def report_take(params):
    return reports.take(iter([]))


def load_plugin(params):
    return plugins.load("shop_plugin_" + params["name"])


def load_feature(params):
    return plugins.feature()


def evaluate_rule(params):
    return plugins.evaluate("price / weight", {"price": params["n"], "weight": 0})


def user_theme(params):
    return plugins.settings_of({"name": params["name"], "theme": None})


def configure(params):
    return plugins.configure(host="localhost", prot=params["n"])


def freeze(params):
    return plugins.freeze(models.Money(params["n"], "EUR"))


def rename_label(params):
    return plugins.rename(catalog.find("tea"))


def call_value(params):
    return plugins.call(params["n"])


def lookup_list(params):
    return plugins.lookup({}, [params["n"]])


def index_values(params):
    return plugins.index([1, 2], str(params["n"]))


def unpack_values(params):
    return plugins.unpack_pair(params["values"])


def concat_values(params):
    return plugins.concat(["a", params["n"]])


def ship(params):
    return models.PigeonCarrier()


def add_money(params):
    return models.Money(1, "EUR").plus(models.Money(params["n"], params["currency"]))


def show_gross(params):
    return catalog.find("cup").gross


def basket_total(params):
    basket = models.Basket("me")
    basket.put(catalog.find("tea"), 1)
    return basket.total({})


def basket_weight(params):
    basket = models.Basket("me")
    basket.put(catalog.find("tea"), 1)
    return basket.weight({})


def one_invoice(params):
    return checks.one_of(params["rows"], "invoice")


def one_address(params):
    return checks.one_of(params["rows"], "address")


def form(params):
    return tinyform.Form(tinyform.Integer("count"), tinyform.Text("name")).clean(params["data"])


def undefined(params):
    return produkt + params["n"]


def assert_stock(params):
    stock = params["n"]
    assert stock < 0, f"stock of {params['name']} is {stock}"
    return stock


def not_implemented(params):
    raise NotImplementedError


def boundary(params):
    try:
        return getattr(plugins, params["which"])(params["value"])
    except Exception as error:
        raise ShopError("the plugin crashed") from error


def cached(params):
    cache = {}
    try:
        return cache[params["name"]]
    except KeyError:
        return feeds.year_of(params["name"])


async def mail_answers(params):
    return await notify.answers(params["texts"])


def mail_check(params):
    return notify.check_all(params["messages"])
