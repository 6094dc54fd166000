import TestSupport
import Testing

@testable import SheafBytes

/// The members of objects and the elements of arrays, one after the other.
@Suite struct JSONMembersTests {
    private func members(_ text: String, from start: Int = 0) -> [String] {
        let chunk = Chunk(Array(text.utf8))
        let bytes = chunk.bytes
        var members = JSONMembers(at: start)
        var found: [String] = []
        while let member = members.next(in: bytes) {
            found.append("\(bytes.extracting(member.key).string)=\(bytes.extracting(member.value).string)")
        }
        return found
    }

    private func elements(_ text: String) -> [String] {
        let chunk = Chunk(Array(text.utf8))
        let bytes = chunk.bytes
        var elements = JSONMembers(at: 0)
        var found: [String] = []
        while let element = elements.nextElement(in: bytes) { found.append(bytes.extracting(element).string) }
        return found
    }

    @Test(arguments: [
        Example("{}", []), Example("{ }", []), Example(#"{"a":1}"#, ["a=1"]),
        Example(#"{ "a" : 1 , "b" : [ 2 , 3 ] }"#, ["a=1", "b=[ 2 , 3 ]"]),
        Example(#"{"":"","a":"}\",{"}"#, [#"="""#, #"a="}\",{""#]),
        Example(#"{"\"":{"a":[{}]},"b":null}"#, [#"\"={"a":[{}]}"#, "b=null"]),
        Example("{\"a\":\n-1.5e3\t,\r\"b\":true}", ["a=-1.5e3", "b=true"]),
    ])
    func objectsHaveMembers(_ object: Example<String, [String]>) {
        #expect(members(object.input) == object.expected)
        let inside = #"{"x":"# + object.input + #","y":5}"#
        #expect(members(inside, from: 5) == object.expected, "inside another object")
    }

    @Test(arguments: [
        Example("[]", []), Example("[ ]", []), Example("[1]", ["1"]), Example("[\"\"]", ["\"\""]),
        Example(#"[ "a,b" , [1,2],{"c":[3]} , null ]"#, [#""a,b""#, "[1,2]", #"{"c":[3]}"#, "null"]),
    ])
    func arraysHaveElements(_ array: Example<String, [String]>) {
        #expect(elements(array.input) == array.expected)
    }

    /// Other texts end the iteration.
    @Test(arguments: [
        "", "{", "[", "{,}", "{\"a", "{\"a\"", "{\"a\":", "{1:2}", "5", "{\"a\":1", "[,", "[1,", "{\"", "{}}",
    ])
    func invalidTextsEnd(_ text: String) {
        #expect(members(text).count <= 2)
        #expect(elements(text).count <= 2)
    }
}
