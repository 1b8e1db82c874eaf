import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('an extension gives its members the name of what it extends', () => {
  const text = `
import Foundation

public protocol Store: AnyObject {
    associatedtype Item
    var count: Int { get }
    func load(_ id: Int) async throws -> Item
}

@available(iOS 13, *)
public final class Session<Key: Hashable>: Store where Key: Sendable {
    static let shared = Session()
    private(set) var items: [Key] = []
    public var isEmpty: Bool { items.isEmpty }
    public init?(items: [Key] = []) {
        self.items = items
    }
    deinit {}
    @discardableResult
    public func load(_ id: Int) async throws -> Item {
        let text = "\\(id) } \\(items.map { "\\($0)" })"
        return items[id]
    }
    class func make() -> Session { Session() }
    subscript(index: Int) -> Key { items[index] }
    struct Options: OptionSet { let rawValue: Int }
    enum Mode { case fast, slow(Int) }
}

extension Session: Equatable {
    public static func == (a: Session, b: Session) -> Bool { true }
    func extra<T>(_ value: T) -> T
        where T: Codable {
        value
    }
}

extension Array.Element { func each() {} }
typealias Block = () -> Void
func top(_ x: Int) -> Int { x }
actor Counter { var value = 0 }
let version = "1"
`;

  expect(outline('a.swift', text)).toEqual([
    '3-7 interface Store',
    '4-4 type Store > Item',
    '5-5 method Store > count',
    '6-6 method Store > load',
    '10-27 class Session',
    '11-11 constant Session > shared',
    '13-13 method Session > isEmpty',
    '14-16 method Session > init',
    '17-17 method Session > deinit',
    '19-22 method Session > load',
    '23-23 method Session > make',
    '24-24 method Session > subscript',
    '25-25 class Session > Options',
    '26-26 enum Session > Mode',
    '30-30 method Session > ==',
    '31-34 method Session > extra',
    '38-38 type Block',
    '39-39 function top',
    '40-40 class Counter',
    '41-41 constant version',
  ]);
});
