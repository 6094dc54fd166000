import Foundation
import SheafText
import TestSupport
import Testing

@testable import SheafText

/// The sample string tables in `Data/strings`.
@Suite struct StringSampleTests {
    private static let root = Repository.root + "/Data/strings/"

    private func tables(in folder: String) throws -> StringTables {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.root + folder)
        var tables = StringTables()
        for file in StringTableFile.files(among: paths) {
            let contents = try Data(contentsOf: URL(fileURLWithPath: Self.root + folder + "/" + file.path))
            try tables.add(Array(contents), of: file)
        }
        return tables
    }

    private func compiled(
        _ key: String, _ language: String, in folder: String, _ role: CompiledString.Role
    ) throws -> CompiledString {
        let found = try #require(try tables(in: folder).find(key, in: [language, "en"]))
        return try CompiledString(found.entry, key: key, language: found.language, role: role)
    }

    @Test func languagesAreFound() throws {
        #expect(try tables(in: "podcasts").languages == ["ar", "en", "he", "ja", "ru"])
        #expect(try tables(in: "photos").languages == ["ar", "en", "he", "ja", "ru"])
    }

    @Test(arguments: [
        ("en", 1, "1 more episode from Radiolab"), ("en", 7, "7 more episodes from Radiolab"),
        ("ru", 1, "Ещё 1 выпуск: Radiolab"), ("ru", 3, "Ещё 3 выпуска: Radiolab"),
        ("ru", 11, "Ещё 11 выпусков: Radiolab"), ("ru", 21, "Ещё 21 выпуск: Radiolab"),
        ("he", 1, "עוד פרק אחד מתוך Radiolab"), ("he", 2, "עוד שני פרקים מתוך Radiolab"),
        ("he", 7, "עוד 7 פרקים מתוך Radiolab"),
        ("ar", 0, "لا حلقات أخرى من Radiolab"), ("ar", 1, "حلقة أخرى من Radiolab"),
        ("ar", 2, "حلقتان أخريان من Radiolab"), ("ar", 3, "3 حلقات أخرى من Radiolab"),
        ("ar", 11, "11 حلقة أخرى من Radiolab"), ("ar", 100, "100 حلقة أخرى من Radiolab"),
        ("ja", 1, "Radiolabのエピソードがほかに1件"), ("ja", 7, "Radiolabのエピソードがほかに7件"),
        ("fr", 7, "7 more episodes from Radiolab"),
    ])
    func episodeSummariesArePluralized(language: String, count: UInt64, text: String) throws {
        let summary = try compiled("PODCAST_SUMMARY", language, in: "podcasts", .summary)
        #expect(summary.takesArguments)
        #expect(summary.text(count, "Radiolab", language: language) == text)
    }

    @Test func alertsAndPlaceholdersAreFormatted() throws {
        let alert = try compiled("NEW_EPISODE", "en", in: "podcasts", .alert)
        #expect(alert.text(["Radiolab", "Colors"]) == #"New from Radiolab: "Colors""#)
        let placeholder = try compiled("EPISODE_PLACEHOLDER", "ru", in: "podcasts", .placeholder)
        #expect(placeholder.text(3) == "Выпуск")
        #expect(!placeholder.takesCount)
    }

    @Test(arguments: [
        ("en", 1, "1 more photo"), ("en", 7, "7 more photos"), ("ru", 5, "Ещё 5 фото"),
        ("he", 2, "עוד שתי תמונות"), ("ja", 7, "ほか7枚の写真"),
        // Not translated yet.
        ("ar", 7, "7 more photos"),
    ])
    func photoSummariesArePluralized(language: String, count: UInt64, text: String) throws {
        let found = try #require(try tables(in: "photos").find("%lld more photos", in: [language, "en"]))
        let summary = try CompiledString(found.entry, key: "", language: found.language, role: .summary)
        #expect(summary.text(count, language: found.language) == text)
    }

    @Test func substitutionsAndDevicesAreApplied() throws {
        let english = try compiled("ALBUM_SUMMARY", "en", in: "photos", .summary)
        #expect(english.text(1) == "1 more photo from Ana and Bob")
        let arabic = try compiled("ALBUM_SUMMARY", "ar", in: "photos", .summary)
        #expect(arabic.text(2, "Ana", language: "ar") == "صورتان أخريان من Ana")
        #expect(
            try compiled("PHOTO_ALERT", "en", in: "photos", .alert).text(["Ana"])
                == "Ana sent a photo to your iPhone")
        #expect(try compiled("PHOTO_ALERT", "ja", in: "photos", .alert).text(["Ana"]) == "Anaさんが写真を送信しました")
        #expect(try compiled("Photos", "ja", in: "photos", .alert).text([]) == "Photos")
    }
}
