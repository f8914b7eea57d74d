import sqlite3


def connect():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table product (sku text primary key, stock integer not null)")
    connection.execute("insert into product values ('t-1', 3)")
    return connection


def insert(connection, sku, stock):
    connection.execute("insert into product values (?, ?)", (sku, stock))


def stock_of(connection, sku):
    row = connection.execute("select stock from product where sku = ?", (sku,)).fetchone()
    return row[0]


def search(connection, text):
    return connection.execute("select * from product where name like '%" + text + "%'").fetchall()


def rename(connection, old, new):
    return connection.execute("update products set sku = ? where sku = ?", (new, old))


def by_sku(connection, sku):
    return connection.execute("select * from product where sku = ? and stock > ?", (sku,)).fetchall()


def save(connection, product):
    connection.execute("update product set stock = ? where sku = 't-1'", (product,))


def close_and_read(connection):
    connection.close()
    return connection.execute("select 1").fetchone()
